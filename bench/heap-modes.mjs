// With V8's default heap the collector's work hides half of the difference between codecs: most of a decode's result survives, so
// it is copied twice on its way out of the young generation. With a young generation that holds the whole result the codec itself is measured.

export const MUTATOR_FLAGS = ["--min-semi-space-size=256", "--max-semi-space-size=256"];
