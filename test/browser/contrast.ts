// Contrast of the texts of a page. Runs inside of it.

/** Visible texts whose contrast with what lies behind them is below 4.5 (WCAG 2.2, 1.4.3), without those of controls that are off. */
export function weakTexts(): string[] {
  type Colour = [number, number, number, number];
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  const colourOf = (text: string): Colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const groundOf = (element: Element | null): Colour => {
    if (!element) return [255, 255, 255, 1];
    const own = colourOf(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, groundOf(element.parentElement));
  };
  const opacityOf = (element: Element | null): number =>
    element ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement) : 1;
  const light = (colour: Colour) => {
    const [r, g, b] = colour
      .slice(0, 3)
      .map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const weak = new Set<string>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement!;
    if (!texts.currentNode.nodeValue!.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest("script, option, :disabled, [inert], [aria-hidden], .thin, .spoken")) continue;
    const ground = groundOf(element);
    const [red, green, blue, alpha] = colourOf(getComputedStyle(element).color);
    const [a, b] = [light(over([red, green, blue, alpha * opacityOf(element)], ground)), light(ground)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5)
      weak.add(
        `${element.className || element.tagName} "${texts.currentNode.nodeValue!.slice(0, 20)}" ${((a + 0.05) / (b + 0.05)).toFixed(2)}`,
      );
  }
  return [...weak];
}
