import { Badge, Code, type Tone } from '../../parts/text.tsx'

const TONES: Record<string, Tone> = { POST: 'good', PATCH: 'warn', DELETE: 'bad' }

export function Method({ of: method }: { of: string }) {
  return (
    <Badge tone={TONES[method] ?? 'plain'}>
      <Code>{method}</Code>
    </Badge>
  )
}
