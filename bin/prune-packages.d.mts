/** Types of prune-packages.mjs, which runs before TypeScript can. */

/** By package: paths of its files and folders that nothing here loads. */
export const UNUSED_PARTS: Readonly<Record<string, readonly string[]>>
/** Deletes what is not used from a folder of installed packages. */
export function prunePackages(folder: string): void
