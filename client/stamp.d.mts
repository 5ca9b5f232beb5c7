/** A hash of the client's sources, among which package.json has the versions of its packages. */
export function stampOf(root: string): string

/** The folders that the client is built of. */
export const SOURCES: readonly string[]
