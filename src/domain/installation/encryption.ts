import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts other people's secrets, so that a copy of the database does not reveal them. */
export interface Encryption {
  /** `purpose` says whose it is: what was encrypted for one purpose cannot be decrypted for another. */
  encrypt(text: string, purpose: string): Buffer
  /** Throws when it was encrypted under another server secret or for another purpose, or was altered. */
  decrypt(sealed: Buffer, purpose: string): string
}

// The first byte names the format, so that others can be added: version, nonce, tag, ciphertext.
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM with a separate key derived from the server secret: the digests of tokens use the secret itself. */
export function createEncryption(serverSecret: string): Encryption {
  const key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'diwan encryption v1', 32))
  return {
    encrypt(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), content])
    },

    decrypt(sealed, purpose) {
      if (sealed[0] !== VERSION) throw new Error(`There is no encryption of version ${sealed[0]}`)
      const [tagAt, contentAt] = [1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES]
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, tagAt), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(tagAt, contentAt))
      return Buffer.concat([decipher.update(sealed.subarray(contentAt)), decipher.final()]).toString('utf8')
    },
  }
}
