// The characters of strings of any origin. Engines hold strings in many forms: names, parts of others, put together, one byte a character or two. Where code has
// met more than four of them, even what is compiled looks up `length` and `charCodeAt` each time (a short string takes three times as long). So what writes strings
// begins with `"" + text`, which is the same string and known to be one, and takes the method from where it is sure to be found. The innermost loops do that themselves:
// inside {@link unitAt} it costs them a tenth.

/** `text.charCodeAt(index)` for strings of any form. */
export function unitAt(text: string, index: number): number {
  return String.prototype.charCodeAt.call(text, index);
}
