// test: uses clang
// test: peer clang-19 libomp leaves the return code as it is, and has no names or descriptions
// Interoperability objects without a device, and a tool's commands without a tool.
#include <omp.h>

#include "check.h"

int main(void) {
  int code = 99;
  CHECK_EQ(omp_get_num_interop_properties(omp_interop_none), 0);
  CHECK_EQ(omp_get_interop_int(omp_interop_none, omp_ipr_device_num, &code), 0);
  CHECK(omp_get_interop_ptr(omp_interop_none, omp_ipr_device, &code) == NULL);
  CHECK(omp_get_interop_str(omp_interop_none, omp_ipr_vendor_name, &code) == NULL);
  CHECK(omp_get_interop_str(omp_interop_none, omp_ipr_vendor_name, NULL) == NULL);
  CHECK(omp_get_interop_type_desc(omp_interop_none, omp_ipr_vendor) == NULL);

  omp_get_interop_int(omp_interop_none, omp_ipr_device_num, &code);
  CHECK_EQ(code, omp_irc_empty);
  omp_get_interop_ptr(omp_interop_none, (omp_interop_property_t)5, &code);
  CHECK_EQ(code, omp_irc_out_of_range);
  omp_get_interop_str(omp_interop_none, (omp_interop_property_t)(omp_ipr_first - 1), &code);
  CHECK_EQ(code, omp_irc_out_of_range);
  CHECK_EQ(strcmp(omp_get_interop_name(omp_interop_none, omp_ipr_fr_id), "fr_id"), 0);
  CHECK_EQ(strcmp(omp_get_interop_name(omp_interop_none, omp_ipr_targetsync), "targetsync"), 0);
  CHECK(omp_get_interop_name(omp_interop_none, (omp_interop_property_t)0) == NULL);
  CHECK(omp_get_interop_rc_desc(omp_interop_none, omp_irc_empty) != NULL);
  CHECK(omp_get_interop_rc_desc(omp_interop_none, omp_irc_type_str) != NULL);
  CHECK(omp_get_interop_rc_desc(omp_interop_none, omp_irc_other) == NULL);
  CHECK(omp_get_interop_rc_desc(omp_interop_none, (omp_interop_rc_t)-7) == NULL);

  CHECK_EQ(omp_control_tool(omp_control_tool_start, 0, NULL), omp_control_tool_notool);
  return check_result();
}
