/** Counts Unicode code points, the unit of all text limits. */
export function countCodePoints(text: string): number {
  let surrogatePairs = 0
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next <= 0xdfff) {
        surrogatePairs++
        index++
      }
    }
  }
  return text.length - surrogatePairs
}
