import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A self-signed certificate for `localhost`; clients that are to trust it need `file`. */
export function makeCertificate(folder: string): { key: string; cert: string; file: string } {
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', file], { stdio: 'ignore' })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(file, 'utf8'), file }
}
