// The reference codec against the golden vectors: shows that the runner, the notation and the comparison are right. The large ones, and those at
// the limits, take it seconds each: `npm run test:long` has them.

import { LONG_RUN } from "./codec.ts";
import { createReference } from "./reference.ts";
import { testVectors } from "./vector-suite.ts";

testVectors("reference codec", createReference, LONG_RUN ? [] : ["large", "limits"]);
