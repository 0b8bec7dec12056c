/**
 * `tusk-codec/node`: files on disk. Loading of any size, saving that never leaves half a file. `docs/files.md` has the rules.
 *
 * @module
 */
export { type ErrorPlace, type FormatName, TuskError } from "../errors.ts";
export { backupPath } from "./backups.ts";
export type { FileErrorCode } from "./failure.ts";
export { type FileProgress, type LoadOptions, loadSave, loadSaveSync } from "./load-save.ts";
export type { Bytes, Pieces } from "./pieces.ts";
export { type SavedFile, type SaveOptions, saveFile, saveFileSync } from "./save-file.ts";
