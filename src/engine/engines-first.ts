// The engines of all formats, for entries that hold several to import before everything else. gzip looks back 32 KB and no further, and an engine is as long:
// behind one that stands among other modules, nothing of those in front of it is found again. That costs 0.5 KB of a download of Elephant and 1.0 KB of one of ENIGMA,
// which begin with their own as ds strings do, and 1.5 KB of one of everything. Bundlers leave out what is not used all the same.
//
// The order of the other modules matters, too: what is alike is to stand within 32 KB of each other. It was found by trying, and brought 0.2 KB for Elephant, 0.5 for the
// worker and for everything (docs/performance.md).
import "./generated/ds-scalar.js";
import "./generated/ds-wasm.ts";
import "./generated/elephant-scalar.js";
import "./generated/elephant-wasm.ts";
import "./generated/enigma-scalar.js";
import "./generated/enigma-wasm.ts";
