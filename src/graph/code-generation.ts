// May this realm turn text into functions? Pages with a policy may not; the codec then uses loops. Nothing ever needs it.
//
// A policy shows itself only when one tries, and browsers report the refusal to the page's owner. So the question is put once, and not
// before a function would be worth making. Where WebAssembly was refused it is not put at all: whatever allows `eval` allows WebAssembly.
import { wasmRefused } from "../engine/kernel.ts";

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
      // At the end of the stack, which has a name of its own in Firefox, it is no policy that refuses.
      if (/^(Range|Internal)/.test((error as Error).name)) return false;
      allowed = false;
    }
  }
  return allowed;
}
