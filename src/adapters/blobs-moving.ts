import { type Blobs, DamagedBlob } from '../domain/ports/blob-store.ts'

/**
 * Two storages while files are moved from one to the other: what is new goes to the second, and whatever is asked for is
 * looked up in both. What has been moved in between is found by looking into the second once more.
 */
export function movingBlobs(from: Blobs, to: Blobs): Blobs {
  async function inOrder<T>(work: (blobs: Blobs) => Promise<T>): Promise<T> {
    for (const blobs of [to, from]) {
      try {
        return await work(blobs)
      } catch (error) {
        if (!(error instanceof DamagedBlob)) throw error
      }
    }
    return work(to)
  }

  return {
    put: to.put,
    has: async (companyId, digest, signal) =>
      (await to.has(companyId, digest, signal)) || from.has(companyId, digest, signal),
    read: (companyId, digest) => inOrder(blobs => blobs.read(companyId, digest)),
    isUtf8: (companyId, digest) => inOrder(blobs => blobs.isUtf8(companyId, digest)),
    stream: (companyId, digest, range) => inOrder(blobs => blobs.stream(companyId, digest, range)),

    async signedAddress(companyId, digest, headers) {
      for (const blobs of [to, from])
        if (await blobs.has(companyId, digest)) return blobs.signedAddress(companyId, digest, headers)
      return undefined
    },

    async remove(companyId, digest, held) {
      // First where it is taken from. What a move has already read may come again; the sweep of orphans removes that.
      return (await from.remove(companyId, digest, held)) && to.remove(companyId, digest, held)
    },

    async removeAll(companyId) {
      await from.removeAll(companyId)
      await to.removeAll(companyId)
    },

    async keepEverything() {
      const releases = [await from.keepEverything(), await to.keepEverything()]
      return async () => {
        for (const release of releases) await release()
      }
    },

    async *list() {
      yield* from.list()
      yield* to.list()
    },

    async removeAbandoned() {
      await from.removeAbandoned()
      await to.removeAbandoned()
    },

    async check() {
      await from.check()
      return to.check()
    },
  }
}
