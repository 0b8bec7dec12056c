// `tusk-codec`: everything public, one line for each format. Whoever needs one format only imports `tusk-codec/<format>`.
export * from "./elephant/index.ts";
