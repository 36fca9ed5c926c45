import { join } from 'node:path'
import { openDiskBlobs } from './adapters/blobs-disk.ts'
import { movingBlobs } from './adapters/blobs-moving.ts'
import { openS3Blobs } from './adapters/blobs-s3.ts'
import type { Config } from './config.ts'
import { requireWritable } from './domain/installation/data-folder.ts'
import type { Blobs } from './domain/ports/blob-store.ts'
import { ConfigError } from './lib/settings.ts'

/** Where the bytes of files are: in the data folder, in a bucket, or, while they are moved, in both. */
export async function openBlobs(config: Config): Promise<Blobs> {
  const { s3 } = config
  if (!s3) return openFolder(config)
  if (!s3.moving) return openS3Blobs(s3)
  const { from, to } = await openMove(config)
  return movingBlobs(from, to)
}

/** The two storages of a move. */
export async function openMove(config: Config): Promise<{ from: Blobs; to: Blobs }> {
  const { s3 } = config
  if (!s3?.moving) throw new ConfigError('S3_MOVE must be in or out, and S3_URL set: they say where the files go')
  const [folder, bucket] = [await openFolder(config), openS3Blobs(s3)]
  return s3.moving === 'in' ? { from: folder, to: bucket } : { from: bucket, to: folder }
}

async function openFolder({ dataDir }: Config): Promise<Blobs> {
  const folder = join(dataDir, 'files')
  await requireWritable(folder)
  return openDiskBlobs(folder)
}
