from program import Program

PROGRAM = Program(
    about="links2: an HTML page of tables, printed as text",
    debian="links2",
    sizes={"rows": (20000, 200)},
    files={"page.py": """
import random
rng = random.Random(17)
print("<html><body><h1>Numbers</h1><table border=1>")
for row in range(@rows@):
    print("<tr>" + "".join(f"<td>{rng.randrange(10 ** rng.randint(1, 6))}" for _ in range(6)) + "</tr>")
print("</table></body></html>")
"""},
    prepare="@python@ page.py > page.html",
    command="links2 -dump page.html",
    seconds=0.3,
    note="It is linked against OpenMP, which it uses for pictures; this run calls no OpenMP function.",
)
