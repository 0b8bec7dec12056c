// Most code of a test runs once or a few times, with classes and codecs of its own: the optimising compiler, which shares the processor with
// the tests, has to see a function three times as often as by default before it takes it up. Loops that are hot are compiled all the same.
import { setFlagsFromString } from "node:v8";

// Since V8 12 it counts calls instead, and says that it has no such flag.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--interrupt-budget=400000");
