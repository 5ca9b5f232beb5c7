/** Which Node runs Parley: the present one if it fits, otherwise one that the launcher fetches. Plain JavaScript for Node 20. */

/** The first 22 that runs .ts files without a flag. */
const NODE_22_MINOR_MIN = 18
const NODE_22 = '22.23.3'
const NODE_24 = '24.21.0'
/** uWebSockets.js for Node 24 needs this minor of glibc 2; below it, only Node 22 has a binary of the library. */
const GLIBC_2_MINOR_OF_NODE_24 = 38

/** Whether a Node, such as `22.18.0`, fits `engines` in package.json. */
export function fits(version) {
  const [major, minor] = version.split('.').map(Number)
  return major === 22 ? minor >= NODE_22_MINOR_MIN : major === 24 || major === 26
}

/**
 * The version to fetch for a glibc, such as `2.36`, or undefined where there is none. Never 26, which does not start
 * without libatomic1.
 */
export function versionToFetch(glibc) {
  const [major, minor] = (glibc ?? '2.99').split('.').map(Number)
  return major === 2 && minor < GLIBC_2_MINOR_OF_NODE_24 ? NODE_22 : NODE_24
}

/** The version of the Node that runs the entry. */
export const nodeVersion = fits(process.versions.node) ? process.versions.node : versionToFetch(findGlibc())

/** The version of the C library; undefined where it is not glibc. */
function findGlibc() {
  process.report.excludeNetwork = true // It would look up the names of peers.
  return process.report.getReport().header.glibcVersionRuntime
}
