import type { ZlibOptions } from 'node:zlib'
import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'
import { Unreadable } from './unreadable.ts'

/** Something unpacked from a container. All but a `view` and a `macro` may be containers themselves. */
export interface Member {
  name: string
  part: 'file' | 'view' | 'stream' | 'macro' | 'object'
  bytes: Buffer
}

type Unpack = (packed: Buffer, options: ZlibOptions) => Buffer

const MIB = 1024 * 1024
const MEMBER_MAX_BYTES = 64 * MIB
const TOTAL_MAX_BYTES = 128 * MIB
/** Below this size no ratio is absurd: an empty picture of 10 MB packs to 10 KB. */
const UNSUSPICIOUS_BYTES = 16 * MIB
const ABSURD_RATIO = 100
const CHUNK_BYTES = 64 * 1024
const MAX_MEMBERS = 20_000

/**
 * The limit on what may be unpacked from one upload, however its archives are nested. Once it is used up, nothing more is
 * opened.
 */
export class Allowance {
  private bytes = 0
  private members = 0
  private readonly limitBytes: number
  isSpent = false

  constructor(uploadBytes: number) {
    this.limitBytes = Math.min(TOTAL_MAX_BYTES, Math.max(UNSUSPICIOUS_BYTES, ABSURD_RATIO * uploadBytes))
  }

  get membersLeft(): number {
    return MAX_MEMBERS - this.members
  }

  /** For a member. */
  spend(bytes: Buffer): Buffer {
    this.members += 1
    if (this.members > MAX_MEMBERS) throw this.exceeded('TooMany')
    return this.spendPiece(bytes)
  }

  /** For a piece of a member, as it is unpacked. */
  spendPiece(bytes: Buffer): Buffer {
    this.bytes += bytes.length
    if (this.bytes > this.limitBytes || bytes.length > MEMBER_MAX_BYTES) throw this.exceeded('Bomb')
    return bytes
  }

  exceeded(obstacle: Obstacle): Unreadable {
    this.isSpent = true
    return new Unreadable(obstacle)
  }

  inflate(unpack: Unpack, packed: Buffer): Buffer {
    return this.inflateSome((bytes, options) => ({ buffer: unpack(bytes, options), usedBytes: bytes.length }), packed)
      .unpacked
  }

  /** For data that marks its own end: also returns how many of the packed bytes it used. */
  inflateSome(
    unpack: (packed: Buffer, options: ZlibOptions) => { buffer: Buffer; usedBytes: number },
    packed: Buffer,
  ): { unpacked: Buffer; usedBytes: number } {
    // One more than is left, so that what uses up the allowance exactly is still unpacked.
    const maxOutputLength = Math.max(0, Math.min(MEMBER_MAX_BYTES, this.limitBytes - this.bytes)) + 1
    // The input may be far more than belongs to it, so the buffer grows gradually.
    const chunkSize = Math.min(CHUNK_BYTES, Math.max(1024, packed.length * 4))
    try {
      const { buffer, usedBytes } = unpack(packed, { maxOutputLength, chunkSize })
      return { unpacked: this.spend(buffer), usedBytes }
    } catch (error) {
      if (error instanceof Unreadable) throw error
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw this.exceeded('Bomb')
      throw new Unreadable('Broken')
    }
  }
}
