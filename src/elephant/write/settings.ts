// What one write is to do.
import type { TuskWarning } from "../../errors.ts";
import type { Registry } from "../constructors.ts";
import type { WritableRelease } from "../releases.ts";
import type { CallbackState } from "../state.ts";

export interface WriteSettings {
  readonly registry: Registry;
  readonly release: WritableRelease;
  readonly diffsOnly: boolean;
  readonly exactDiffs: boolean;
  readonly maxDepth: number;
  readonly state: CallbackState;
  readonly onWarning: ((warning: TuskWarning) => void) | undefined;
}
