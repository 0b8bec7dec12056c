// The reference codec against the golden vectors: shows that the runner, the notation and the comparison are right.

import { createReference } from "./reference.ts";
import { testVectors } from "./vector-suite.ts";

testVectors("reference codec", createReference);
