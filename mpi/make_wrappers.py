#!/usr/bin/env python3
"""Writes the wrappers of one MPI from its own mpi.h.

    make_wrappers.py COMPILER OUTPUT [-I...]

WAITS is the list of the calls that can wait for another process, and says where their bytes come from.
All other calls are local and get no wrapper. A call that this MPI does not have is left out.

C programs call MPI_X. Of Fortran programs, those with mpif.h or the module mpi call mpi_x_, those with
mpi_f08 call mpi_x_f08_, in MPICH also mpi_x_f08ts_ and, with large counts, mpi_x_f08_large_ and
mpi_x_f08ts_large_. Some of these reach MPI_X and some call PMPI_X: all get a wrapper, and through.hpp
counts the outermost only. A Fortran wrapper for a name that the MPI does not have is never called.
"""
import re
import subprocess
import sys

# The patterns match the name without MPI_ and _c. The bytes are an expression of functions in bytes.hpp
# and the call's parameters. "": the call says no number of bytes.
IN_PLACE = "in_place({0}) ? {1} : {2}"
ROOTED = "root < 0 ? 0 : "
WAITS = [
    # Point to point. MPI_Bsend is local.
    (r"Send|Ssend|Rsend|Recv|Mrecv", "one(count, datatype)"),
    (r"Sendrecv", "one(sendcount, sendtype) + one(recvcount, recvtype)"),
    (r"Sendrecv_replace", "2 * one(count, datatype)"),
    (r"Probe|Mprobe|Buffer_detach|Wait|Waitall|Waitany|Waitsome", ""),
    # Collectives.
    (r"Barrier", ""),
    (r"Bcast|Reduce", ROOTED + "one(count, datatype)"),
    (r"Allreduce|Scan|Exscan", "one(count, datatype)"),
    (r"Gather", ROOTED + IN_PLACE.format("sendbuf", "one(recvcount, recvtype)", "one(sendcount, sendtype)")),
    (r"Gatherv", ROOTED + IN_PLACE.format("sendbuf", "own(recvcounts, recvtype, comm)",
                                          "one(sendcount, sendtype)")),
    (r"Scatter", ROOTED + IN_PLACE.format("recvbuf", "one(sendcount, sendtype)", "one(recvcount, recvtype)")),
    (r"Scatterv", ROOTED + IN_PLACE.format("recvbuf", "own(sendcounts, sendtype, comm)",
                                           "one(recvcount, recvtype)")),
    (r"Allgather", IN_PLACE.format("sendbuf", "one(recvcount, recvtype)", "one(sendcount, sendtype)")),
    (r"Allgatherv", IN_PLACE.format("sendbuf", "own(recvcounts, recvtype, comm)",
                                    "one(sendcount, sendtype)")),
    (r"Alltoall", "partners(comm) * (" +
     IN_PLACE.format("sendbuf", "one(recvcount, recvtype)", "one(sendcount, sendtype)") + ")"),
    (r"Alltoallv", IN_PLACE.format("sendbuf", "sum(recvcounts, recvtype, partners(comm))",
                                   "sum(sendcounts, sendtype, partners(comm))")),
    (r"Alltoallw", IN_PLACE.format("sendbuf", "sum(recvcounts, recvtypes, partners(comm))",
                                   "sum(sendcounts, sendtypes, partners(comm))")),
    (r"Reduce_scatter", "sum(recvcounts, datatype, members(comm))"),
    (r"Reduce_scatter_block", "members(comm) * one(recvcount, datatype)"),
    (r"Neighbor_allgatherv?", "one(sendcount, sendtype)"),
    (r"Neighbor_alltoall", "neighbours(comm) * one(sendcount, sendtype)"),
    (r"Neighbor_alltoallv", "sum(sendcounts, sendtype, neighbours(comm))"),
    (r"Neighbor_alltoallw", "sum(sendcounts, sendtypes, neighbours(comm))"),
    # Communicators and processes.
    (r"Comm_(create|create_group|create_from_group|dup|dup_with_info|split|split_type|free|disconnect)", ""),
    (r"Comm_(accept|connect|join|spawn|spawn_multiple)", ""),
    (r"Intercomm_(create|create_from_groups|merge)|(Cart|Graph|Dist_graph)_create|Dist_graph_create_adjacent|"
     r"Cart_sub|Session_finalize", ""),
    # Windows. MPI_Win_post and MPI_Win_test do not wait.
    (r"Win_(create|create_dynamic|allocate|allocate_shared|free|fence|start|complete|wait)", ""),
    (r"Win_(lock|lock_all|unlock|unlock_all|flush|flush_all|flush_local|flush_local_all)", ""),
    # Files, where the calls are collective.
    (r"File_(open|close|set_view|set_size|set_info|set_atomicity|preallocate|sync|seek_shared)", ""),
    (r"File_(read|write)(_at)?_all|File_(read|write)_ordered", "one(count, datatype)"),
    (r"File_(read|write)(_at)?_all_(begin|end)|File_(read|write)_ordered_(begin|end)", ""),
]
# Calls with a twin that begins the operation and gives a request, MPI_Ix: the twin has the same parameters,
# but for the status, and the request. Twins of collectives are begun only within one group of processes.
TWINS = re.compile(r"(Send|Ssend|Rsend|Recv|Mrecv)|"
                   r"(Barrier|Bcast|Reduce|Allreduce|Scan|Exscan|Gatherv?|Scatterv?|Allgatherv?|"
                   r"Alltoall[vw]?|Reduce_scatter|Reduce_scatter_block|Neighbor_(allgatherv?|alltoall[vw]?))")
# How other calls look whether the wait is over; {i} is the call's parameter i. None of these looks has a buffer
# or a large count.
LOOKS = {
    "MPI_Probe": ("MPI_Iprobe", "{0}, {1}, {2}, &done, {3}"),
    "MPI_Mprobe": ("MPI_Improbe", "{0}, {1}, {2}, &done, {3}, {4}"),
    "MPI_Win_wait": ("MPI_Win_test", "{0}, &done"),
    "MPI_Wait": ("MPI_Test", "{0}, &done, {1}"),
    "MPI_Waitany": ("MPI_Testany", "{0}, {1}, {2}, &done, {3}"),
    # MPI_Testsome says by the number of requests that are over, in parameter 2, whether there is one.
    "MPI_Waitsome": ("MPI_Testsome", "{0}, {1}, {2}, {3}, {4}"),
}
# Calls that begin an operation whose progress MPICH makes in MPI_Test and MPI_Wait alone: lend.hpp.
FILES = re.compile(r"MPI_File_i(read|write)\w*|MPIX_Grequest_start")
# The calls that begin and end MPI, and the functions of through.hpp that run them. A Fortran program
# gives MPI_Init no arguments.
SPECIAL = {"Init": ("initialising", 0), "Init_thread": ("initialising", 2), "Finalize": ("finalising", 0),
           "Abort": ("aborting", 2)}

RENAMED = {"type": "datatype"}  # what Open MPI calls a parameter of MPI_Mrecv


class Parameter:
    def __init__(self, text):
        self.text = " ".join(text.split())
        self.name = re.search(r"(\w+)\s*(?:\[\s*\])*$", self.text)[1]
        self.is_array = self.text.endswith("]")
        self.type = re.sub(r"\s*\b%s\b(\s*\[\s*\])*$" % self.name, "", self.text)
        if self.name in RENAMED:
            self.text = re.sub(r"\b%s\b" % self.name, RENAMED[self.name], self.text)
            self.name = RENAMED[self.name]


def prototypes(compiler, flags):
    """The functions of mpi.h that get a wrapper, and those that are twins, by name, each with its parameters."""
    run = [compiler, "-E", "-P", *flags, "-include", "mpi.h", "-x", "c", "/dev/null"]
    text = subprocess.run(run, check=True, text=True, stdout=subprocess.PIPE).stdout
    found = {}
    for name, parameters in re.findall(r"\bint\s+(MPIX?_\w+)\s*\(([^;{}]*?)\)\s*(?:__attribute__[^;]*)?;", text):
        if "(" not in parameters and "..." not in parameters:   # callbacks: no such call waits
            found[name] = parameters
    return {name: [Parameter(p) for p in text.split(",") if p.strip() != "void"]
            for name, text in found.items()
            if is_wrapped(name) or name.startswith("MPI_I") or FILES.fullmatch(name)}


def is_wrapped(name):
    return bytes_of(name) is not None or name[4:] in SPECIAL


def bytes_of(name):
    plain = re.sub(r"^MPI_|_c$", "", name)
    for pattern, expression in WAITS:
        if re.fullmatch(pattern, plain):
            return expression
    return None


def used(parameters, expression):
    words = set(re.findall(r"\w+", expression))
    return [p for p in parameters if p.name in words]


def check(name, parameters, expression):
    functions = {"one", "own", "sum", "in_place", "partners", "members", "neighbours"}
    unknown = set(re.findall(r"[a-z]\w*", expression)) - functions - {p.name for p in parameters}
    if unknown:
        sys.exit(f"make_wrappers: {name} has no parameter {', '.join(sorted(unknown))}")


class InC:
    """How a wrapper for C begins and tests operations."""
    request = "MPI_Request"

    def __init__(self, parameters):
        self.names = [p.name for p in parameters]
        self.comm = "comm"
        self.some_are_done = f"*{self.names[2]} != 0" if len(parameters) > 2 else ""

    def real(self, function, _arguments):
        return f"Real<decltype(&{function})>", function

    def call(self, variable, arguments):
        return f"{variable}.get()({', '.join(arguments)})"

    def waitall(self):
        return f"{self.names[0]}, {self.names[1]}"

    def complete(self, error, request, status):
        return f"complete({error}, {request}, {status or 'MPI_STATUS_IGNORE'}, caller)"

    def end(self, statement):
        return f"return {statement};"


class InFortran:
    """The same for one of Fortran's entry points: parameters are addresses, and the last one is ierror's."""
    request = "MPI_Fint"

    def __init__(self, name, fortran, parameters):
        self.names = [f"a{i}" for i in range(len(parameters))]
        self.ierror = f"a{len(parameters)}"
        self.suffix = fortran[len(re.sub(r"_c$", "", name)):]
        self.ends = "ends_of_f08" if "f08" in self.suffix else "ends_of_fortran"
        self.comm = next((f"FortranComm{{a{i}}}" for i, p in enumerate(parameters) if p.type == "MPI_Comm"),
                         "")
        self.some_are_done = "*static_cast<const MPI_Fint*>(a2) != 0"

    def real(self, function, arguments):
        is_look = any(function == look for look, _ in LOOKS.values())
        suffix = re.sub("ts|_large", "", self.suffix) if is_look else self.suffix
        return (f"Real<void (*)({', '.join(['void*'] * (len(arguments) + 1))})>",
                re.sub("_c$", "", function).lower() + suffix)

    def call(self, variable, arguments):
        return f"[&] {{ MPI_Fint said = 0; {variable}.get()({', '.join([*arguments, '&said'])}); return said; }}()"

    def waitall(self):
        return f"*static_cast<const MPI_Fint*>({self.names[0]}), FortranRequests{{{self.names[1]}}}"

    def complete(self, error, request, status):
        return f"complete_in_fortran({error}, {request}, {status or 'nullptr'}, {self.ends}, caller)"

    def end(self, statement):
        return f"return give_error({self.ierror}, {statement});"


def lending(name, parameters, all_of_header, language):
    """The statements that run the call with its cores lent, if it can be begun without waiting."""
    names = language.names

    def declare(variable, function, arguments):
        kind, symbol = language.real(function, arguments)
        return f'static constinit {kind} {variable}{{"{symbol}"}};'

    if name == "MPI_Waitall":
        # Not MPI_Testall: MPICH's fails for collectives that were started again (coll/p_order of its suite).
        return f"""
    if (lends()) [[unlikely]]
      aside([=] {{ wait_for_all({language.waitall()}, caller); return 0; }});"""
    if name in LOOKS:
        look, pattern = LOOKS[name]
        arguments = pattern.format(*names).split(", ")
        done = language.some_are_done if name == "MPI_Waitsome" else "done != 0"
        wait = f"""look_or_block(caller, [&](int& error) {{
        [[maybe_unused]] int done = 0;
        error = {language.call("look", arguments)};
        return {done};
      }}, block)"""
        return aside("", f"""{declare("look", look, arguments)}
        {language.end(wait)}""")
    if name in ("MPI_Sendrecv", "MPI_Sendrecv_c"):
        # Not MPI_Isendrecv: MPICH's does not fill in the status, and Open MPI 4 has none.
        large = "_c" if name.endswith("_c") else ""
        receive, send = [*names[5:11], "request"], [*names[:5], names[10], "request"]
        begun = f"{language.request}* request"
        wait = f"""send_and_receive<{language.request}>(
          [&]({begun}) {{ return {language.call("receive", receive)}; }},
          [&]({begun}) {{ return {language.call("send", send)}; }},
          [&]({begun}) {{ return {language.complete("0", "request", names[11])}; }},
          [&]({begun}) {{ return {language.complete("0", "request", "")}; }})"""
        return aside("", f"""{declare("receive", f"MPI_Irecv{large}", receive)}
        {declare("send", f"MPI_Isend{large}", send)}
        {language.end(wait)}""")
    found = TWINS.fullmatch(re.sub(r"^MPI_|_c$", "", name))
    twin = re.sub(r"^MPI_(.)", lambda first: "MPI_I" + first[1].lower(), name)
    if not found or twin not in all_of_header:
        return ""
    is_status = [p.type == "MPI_Status *" for p in parameters]
    begun = [given for given, without in zip(names, is_status) if not without] + ["&request"]
    if len(all_of_header[twin]) != len(begun):
        sys.exit(f"make_wrappers: {twin} has not the parameters of {name} and a request")
    status = next((given for given, that in zip(names, is_status) if that), "")
    return aside(language.comm if found[2] else "", f"""{declare("begin", twin, begun)}
        {language.request} request;
        const int begun = {language.call("begin", begun)};
        {language.end(language.complete("begun", "&request", status))}""")


def aside(comm, statements):
    return f"""
    if (lends({comm})) [[unlikely]]
      return aside([=] {{
        {statements}
      }});"""


def body(name, call, bytes, lends, give="return {};"):
    """The statements of a wrapper. `call` is an expression of MPI's error code, `bytes` of the bytes of a call that has
    succeeded, and `give` says what becomes of the code. The plain call has no lambdas, for which it would have to
    spill parameters to the stack."""
    other = f"""through(of_{name}, caller, [=] {{{lends}
    return block();
  }}, [=] {{ return {bytes}; }})"""
    return f"""
  const Caller caller = VICINO_CALLER;
  if (is_plain()) [[likely]] {{
    const Outermost outermost(caller);
    const int error = {call};
    vicino::pmpi::count(of_{name}, caller, error == 0 ? {bytes} : 0);
    {give.format("error")}
  }}
  const auto block = [=] {{ return {call}; }};
  {give.format(other)}"""


def c_wrapper(name, parameters, expression, lends):
    declared = ", ".join(p.text for p in parameters)
    given = ", ".join(p.name for p in parameters)
    statements = body(name, f"real.get()({given})", f"uint64_t{{{expression or 0}}}", lends)
    return f"""VICINO_WRAPPER int {name}({declared}) {{
  static constinit Real<decltype(&{name})> real{{"{name}"}};{statements}
}}
"""


def fortran_names(name):
    """The names that Fortran programs call, with whether buffers come in descriptors."""
    lower = re.sub(r"_c$", "", name).lower()
    if name.endswith("_c"):
        return [(f"{lower}_f08_large_", False), (f"{lower}_f08ts_large_", True)]
    return [(f"{lower}_", False), (f"{lower}_f08_", False), (f"{lower}_f08ts_", True)]


def fortran_value(parameter, argument, descriptors):
    """A declaration that gives the C parameter's name to what the Fortran argument says."""
    kind = parameter.type.replace("const", "").strip()
    if kind == "void *":
        value = f"buffer_in_descriptor({argument})" if descriptors else f"FortranBuffer{{{argument}}}"
    elif parameter.is_array and kind == "MPI_Datatype":
        value = f"FortranTypes{{{argument}}}"
    elif parameter.is_array:
        value = f"static_cast<const {kind}*>({argument})"
    elif kind.startswith("MPI_") and kind != "MPI_Count":
        value = f"from_fortran<{kind}>({argument})"
    else:
        value = f"*static_cast<const {kind}*>({argument})"
    return f"const auto {parameter.name} = {value};"


def fortran_wrapper(name, fortran, descriptors, parameters, expression, lends):
    # Behind ierror come the lengths of texts, hidden, one for each.
    texts = sum("char" in p.type for p in parameters)
    count = len(parameters) + 1
    arguments = [f"a{i}" for i in range(count + texts)]
    declared = ", ".join(f"void* {a}" for a in arguments)
    values = " ".join(fortran_value(p, f"a{parameters.index(p)}", descriptors)
                      for p in used(parameters, expression))
    call = f"(real.get()({', '.join(arguments)}), error_in(a{count - 1}))"
    bytes = f"[=]() -> uint64_t {{ {values} return {expression or 0}; }}()"
    statements = body(name, call, bytes, lends, "return void({});")
    return f"""VICINO_WRAPPER void {fortran}({declared}) {{
  static constinit Real<void (*)({', '.join(['void*'] * len(arguments))})> real{{"{fortran}"}};{statements}
}}
"""


def file_wrappers(name, parameters):
    declared, given = ", ".join(p.text for p in parameters), ", ".join(p.name for p in parameters)
    arguments = [f"a{i}" for i in range(len(parameters) + 1)]
    interfaces = [("int", name, declared, given, f"decltype(&{name})")]
    interfaces += [("void", fortran, ", ".join(f"void* {a}" for a in arguments), ", ".join(arguments),
                    f"void (*)({', '.join(['void*'] * len(arguments))})") for fortran, _ in fortran_names(name)]
    for returned, symbol, declared, given, kind in interfaces:
        yield f"""VICINO_WRAPPER {returned} {symbol}({declared}) {{
  static constinit Real<{kind}> real{{"{symbol}"}};
  has_file_requests.store(true, std::memory_order_relaxed);
  return real.get()({given});
}}
"""


def special_wrappers(name, parameters, around, count):
    declared = ", ".join(p.text for p in parameters)
    given = ", ".join(p.name for p in parameters)
    yield f"""VICINO_WRAPPER int MPI_{name}({declared}) {{
  static constinit Real<decltype(&MPI_{name})> real{{"MPI_{name}"}};
  return {around}(VICINO_CALLER, [&] {{ return real.get()({given}); }});
}}
"""
    arguments = [f"a{i}" for i in range(count + 1)]
    for fortran in (f"mpi_{name.lower()}_", f"mpi_{name.lower()}_f08_"):
        yield f"""VICINO_WRAPPER void {fortran}({', '.join(f'void* {a}' for a in arguments)}) {{
  static constinit Real<void (*)({', '.join(['void*'] * len(arguments))})> real{{"{fortran}"}};
  {around}(VICINO_CALLER, [&] {{ real.get()({', '.join(arguments)}); return error_in(a{count}); }});
}}
"""


def main(compiler, output, *flags):
    header = prototypes(compiler, flags)
    found = {name: parameters for name, parameters in header.items()
             if is_wrapped(name)}
    text = ["// Written by make_wrappers.py.\n#include \"wrap.hpp\"\n\nusing namespace vicino::pmpi;\n"]
    for name, parameters in sorted(found.items()):
        expression = bytes_of(name)
        if expression is None:   # a special one
            continue
        check(name, parameters, expression)
        text.append(f"static constinit Function of_{name}{{\"{name}\"}};\n")
        text.append(c_wrapper(name, parameters, expression, lending(name, parameters, header, InC(parameters))))
        for fortran, descriptors in fortran_names(name):
            lends = lending(name, parameters, header, InFortran(name, fortran, parameters))
            text.append(fortran_wrapper(name, fortran, descriptors, parameters, expression, lends))
    for name, parameters in sorted(header.items()):
        if FILES.fullmatch(name):
            text += file_wrappers(name, parameters)
    for name, (around, count) in SPECIAL.items():
        text += special_wrappers(name, found[f"MPI_{name}"], around, count)
    with open(output, "w") as file:
        file.write("\n".join(text))


main(*sys.argv[1:])
