/** The contract version, which is also that of the release. Every update raises the middle number; the first stays until general availability. */
export const CONTRACT_VERSION = '1.7.0'
