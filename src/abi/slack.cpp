// slack.cpp: the function of vicino/slack.h.
#include "vicino/slack.h"

#include "abi/api.hpp"
#include "team/slack.hpp"

VICINO_API void vicino_slack_add(uint64_t ns) { vicino::team::add_slack(ns); }
