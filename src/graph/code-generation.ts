// May this realm turn text into functions? Pages with a policy may not; the codec then uses loops. Nothing ever needs it.
//
// A policy shows itself only when one tries, and browsers report the refusal to the page's owner. So the question is put once, and not
// before a function would be worth making. Where WebAssembly was refused it is not put at all: whatever allows `eval` allows WebAssembly.
import { wasmRefused } from "../engine/kernel.ts";
import { isStackEnd } from "../engine/platform-text.ts";

let allowed: boolean | undefined;

/** What a text returns in which these names stand for these values. */
export function fromText(given: Readonly<Record<string, unknown>>, text: string): unknown {
  return new Function(...Object.keys(given), text)(...Object.values(given));
}

export function codeGenerationAllowed(): boolean {
  if (allowed === undefined) {
    try {
      allowed = !wasmRefused() && new Function("return 1")() === 1;
    } catch (error) {
      if (!isStackEnd(error)) allowed = false;
    }
  }
  return allowed === true;
}
