/*
 * Printed reference solutions of published test problems, and the digits on which ours agree with
 * them, found in quad.
 *
 * Source: F. Mazzia & C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4, 2008:
 * andrews.f and crank.f; for the car axis both versions in circulation, that of the R package
 * deTestSet 1.1 and that of caraxis.f.
 */
#ifndef TESTS_KIT_PRINTED_SOLUTIONS_H
#define TESTS_KIT_PRINTED_SOLUTIONS_H

#include <shakedown/parts/real.h>

/* Numbers to compare: components of q, v, w or lambda. */
struct group {
  const char *name;
  char part; /* 'q', 'v', 'w' or 'l' */
  int first, count;
  const char *printed[8];
  double digits; /* agreed digits */
  real factor;   /* printed = factor ours; 0: 1 */
};

static const struct group andrews_groups[] = {
    {"positions",
     'q',
     0,
     7,
     {"0.1581077119629904e+2", "-0.1575637105984298e+2", "0.4082224013073101e-1",
      "-0.5347301163226948e+0", "0.5244099658805304e+0", "0.5347301163226948e+0",
      "0.1048080741042263e+1"},
     10.04,
     0},
    {"velocities",
     'v',
     0,
     7,
     {"0.1139920302151208e+4", "-0.1424379294994111e+4", "0.1103291221937134e+2",
      "0.1929337464421385e+2", "0.5735699284790808e+0", "-0.1929337464421385e+2",
      "0.3231791658026955e+0"},
     9.4,
     0},
    {"slow velocities",
     'v',
     2,
     5,
     {"0.1103291221937134e+2", "0.1929337464421385e+2", "0.5735699284790808e+0",
      "-0.1929337464421385e+2", "0.3231791658026955e+0"},
     7.6,
     0},
    {"accelerations",
     'w',
     0,
     7,
     {"-0.2463176316945196e+5", "0.5185037701610329e+5", "0.3241025686413781e+6",
      "0.5667493645176213e+6", "0.1674362929479361e+5", "-0.5667493645176222e+6",
      "0.9826520791458422e+4"},
     6.99,
     0},
    {"multipliers",
     'l',
     0,
     6,
     {"0.1991753333731910e+3", "-0.2975531228015052e+2", "0.2306654119098399e+2",
      "0.3145271365475927e+2", "0.2264249232082739e+2", "0.1161740700019673e+2"},
     7.13,
     0},
    {0}};

static const struct group car_axis_groups[] = {
    {"positions",
     'q',
     0,
     4,
     {"0.493455784275402809122e-1", "0.496989460230171153861", "0.104174252488542151681e1",
      "0.373911027265361256927"},
     12.82,
     0},
    {"velocities",
     'v',
     0,
     4,
     {"-0.770583684040972357970e-1", "0.744686658723778553466e-2", "0.175568157537232222276e-1",
      "0.770341043779251976443"},
     11.19,
     0},
    {"first multiplier", 'l', 0, 1, {"-0.473688659084893324729e-2"}, 12, -1},
    {"second multiplier", 'l', 1, 1, {"-0.110468033125734368808e-2"}, 11.70, R(-0.5)},
    {"positions of caraxis.f",
     'q',
     0,
     4,
     {"0.4934557842755629e-001", "0.4969894602303324e+000", "0.1041742524885400e+001",
      "0.3739110272652214e+000"},
     12.51,
     0},
    {"velocities of caraxis.f",
     'v',
     0,
     4,
     {"-0.7705836840321485e-001", "0.7446866596327776e-002", "0.1755681574942899e-001",
      "0.7703410437794031e+000"},
     11.27,
     0},
    {"first multiplier of caraxis.f", 'l', 0, 1, {"-0.4736886750784630e-002"}, 7.47, -1},
    {"second multiplier of caraxis.f", 'l', 1, 1, {"-0.1104680411345730e-002"}, 7.14, R(-0.5)},
    {0}};

static const struct group crank_groups[] = {
    {"angles", 'q', 0, 2, {"0.1500000000000104e+002", "-0.3311734988256260e+000"}, 13.16, 0},
    {"elastic coordinates",
     'q',
     3,
     4,
     {"0.1893192899613509e-003", "0.2375751249879174e-004", "-0.5323896770569702e-005",
      "-0.8363313279112129e-005"},
     10.35,
     0},
    {"velocities",
     'v',
     0,
     3,
     {"0.1500000000000000e+003", "0.6025346755138369e+002", "-0.8753116326670527e+001"},
     12.16,
     0},
    {"elastic velocities",
     'v',
     3,
     4,
     {"-0.3005541400289738e-001", "-0.5500431812571696e-002", "0.4974111734266989e-003",
      "0.1105560003626645e-002"},
     8.4,
     0},
    {"accelerations",
     'w',
     0,
     3,
     {"0", "0.6488737541276957e+004", "0.2167938629509884e+004"},
     9.75,
     0},
    {"elastic accelerations",
     'w',
     3,
     4,
     {"0.3391137060286523e+002", "0.1715134772216488e+000", "-0.1422449408912512e+001",
      "0.1003946428124810e+001"},
     7.54,
     0},
    {"multipliers",
     'l',
     0,
     3,
     {"-0.6232935833287916e+002", "-0.1637920993367306e+003", "0.2529857947066878e+002"},
     9.32,
     0},
    {0}};

/* All coordinates of the crank. Those of the block are printed with an offset and belong to no
 * group. */
static const char *const crank_positions[] = {"0.1500000000000104e+002", "-0.3311734988256260e+000",
                                              "0.1697373328427860e+000", "0.1893192899613509e-003",
                                              "0.2375751249879174e-004", "-0.5323896770569702e-005",
                                              "-0.8363313279112129e-005"};

#endif
