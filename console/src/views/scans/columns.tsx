import type { ScannedFile, ScanState } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Size } from '../../parts/size.tsx'
import type { Column } from '../../parts/table.tsx'
import { Code, Name, Told } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { ScanBadge } from './scan-badge.tsx'
import { useScanWords } from './words.ts'

const SCANNABLE: ScanState[] = ['pending', 'clean', 'failed']

/** How a file is shown with its scan. */
export function useScanColumns(scanAgain: (file: ScannedFile) => Promise<void>): Column<ScannedFile>[] {
  const t = useScanWords()
  const common = useCommonWords()
  const { may } = useStanding()
  return [
    {
      title: t.file,
      main: true,
      show: ({ name, project }) => (
        <>
          <Name>{name}</Name>
          <p class="quiet">
            {t.project}: <Name>{project.name}</Name>
          </p>
        </>
      ),
    },
    { title: t.state, show: file => <State of={file} /> },
    { title: t.size, figures: true, show: ({ size_bytes }) => <Size bytes={size_bytes} /> },
    { title: t.uploadedBy, show: ({ uploaded_by }) => <Name>{uploaded_by}</Name> },
    { title: t.scanned, show: ({ scanned_at }) => <Time at={scanned_at} /> },
    {
      title: common.actions,
      actions: true,
      show: file =>
        may('rescanFile') &&
        SCANNABLE.includes(file.scan_state) && (
          <ActButton quiet label={`${t.scanAgain} ${isolate(file.name)}`} act={() => scanAgain(file)}>
            {t.scanAgain}
          </ActButton>
        ),
    },
  ]
}

function State({ of: { scan_state, scan_message, scan_finding } }: { of: ScannedFile }) {
  const t = useScanWords()
  return (
    <>
      <ScanBadge of={scan_state} />
      {scan_message && (
        <p>
          <Told>{t.message(scan_message)}</Told>
        </p>
      )}
      {scan_finding && (
        <p>
          <Code>{scan_finding}</Code>
        </p>
      )}
      {t.means[scan_state] && <p class="quiet">{t.means[scan_state]}</p>}
    </>
  )
}
