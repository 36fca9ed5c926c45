import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { composedServices, deployed, kubernetesObjects } from '../support/deployment.ts'
import { findParts } from '../support/parts.ts'
import { newFolder, serve, withoutJobs } from '../support/server-process.ts'

const parts = findParts()
const SECRETS = ['SERVER_SECRET', 'OPERATOR_TOKEN', 'DATABASE_URL', 'POSTGRES_PASSWORD', 'SMTP_URL']

interface Panel {
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}
const dashboard: { panels: Panel[] } = JSON.parse(deployed('grafana-dashboard.json'))
const alerts: { alert: string; expr: string; annotations: Record<string, string> }[] = parse(deployed('alerts.yaml'))
  .groups[0].rules
/** The queries of the dashboard, with values for the variables that Grafana fills in. */
const charted = dashboard.panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'))

const names = (list: string) =>
  list
    .split('\n')
    .filter(line => /^[A-Z_]+=/.test(line))
    .map(line => line.split('=')[0] as string)

describe('The dashboard and the alerts', () => {
  it('name no metric that a server does not have, and show every one of ours', async () => {
    const server = await serve(withoutJobs())
    await fetch(`${server.url}/api/v1/me`)
    const text = await (await fetch(`${server.url}/metrics`)).text()
    const shown = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    )
    const used = new Set(
      [...charted, ...alerts.map(({ expr }) => expr)].flatMap(
        expr => expr.match(/\b(diwan|nodejs|process)_\w+/g) ?? [],
      ),
    )
    expect([...used].filter(name => !shown.has(name))).toEqual([])
    const ours = [...shown].filter(name => name.startsWith('diwan_') && !name.endsWith('_sum'))
    expect(ours.filter(name => !used.has(name))).toEqual([])
    await server.end('SIGTERM')
  })

  it('explain every alert, and put no panel upon another', () => {
    for (const { alert, annotations } of alerts)
      expect([alert, annotations.summary, annotations.description]).toEqual([
        alert,
        expect.any(String),
        expect.any(String),
      ])
    const places = dashboard.panels.map(({ gridPos }) => gridPos)
    const meet = places.filter((a, n) =>
      places.slice(n + 1).some(b => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h),
    )
    expect(meet).toEqual([])
  })

  it.skipIf(!parts.promtool)('are what Prometheus can read', () => {
    const folder = newFolder()
    const rules = charted.map((expr, n) => ({ record: `chart_${n}`, expr }))
    writeFileSync(join(folder, 'charts.json'), JSON.stringify({ groups: [{ name: 'charts', rules }] }))
    writeFileSync(join(folder, 'alerts.yaml'), deployed('alerts.yaml'))
    writeFileSync(join(folder, 'token'), 'token')
    writeFileSync(
      join(folder, 'prometheus.yaml'),
      deployed('prometheus.yaml').replace('/etc/prometheus/diwan-operator-token', 'token'),
    )
    const check = (...args: string[]) => execFileSync(parts.promtool as string, args, { cwd: folder, encoding: 'utf8' })
    expect(check('check', 'rules', 'charts.json')).toContain(`${charted.length} rules found`)
    expect(check('check', 'config', 'prometheus.yaml')).toContain(`${alerts.length} rules found`)
  })

  it.skipIf(!parts.promtool)('an alert fires when it should and not before', () => {
    const folder = newFolder()
    const series = (series: string, values: string) => ({ series, values })
    const node = 'job="diwan", instance="api-1:3000"'
    const cases = [
      ['DiwanDown', [series(`up{${node}}`, '1x10 0x20')], 10, 14],
      [
        'DiwanErrors',
        [
          series(`diwan_requests_total{${node}, status="200"}`, '0+600x40'),
          series(`diwan_requests_total{${node}, status="503"}`, '0x10 0+60x30'),
        ],
        10,
        22,
      ],
      ['DiwanJobsLate', [series(`diwan_jobs_late_seconds{${node}}`, '0x10 660+60x30')], 12, 20],
      ['DiwanJobsFailed', [series(`diwan_jobs_failed{${node}, kind="mail-notification"}`, '0x10 2x30')], 12, 20],
      ['DiwanFeedLag', [series(`diwan_feed_lag_seconds{${node}}`, '0x10 120x30')], 12, 20],
      ['DiwanPartDown', [series(`diwan_part_state{${node}, part="storage"}`, '1x10 2x30')], 14, 17],
      ['DiwanPartDegraded', [series(`diwan_part_state{${node}, part="redis"}`, '0x10 1x30')], 24, 28],
      ['DiwanWebhooksFailing', [series(`diwan_webhooks_failing{${node}}`, '5x10 6x30')], 24, 28],
      [
        'DiwanRefused',
        [
          series(`diwan_requests_total{${node}, status="200"}`, '0+60x80'),
          series(`diwan_requests_total{${node}, status="429"}`, '0+50x20 1000+200x60'),
        ],
        45,
        65,
      ],
      ['DiwanTurnedAway', [series(`diwan_requests_turned_away_total{${node}}`, '0x10 10+10x30')], 12, 20],
      ['DiwanRecordsDropped', [series(`diwan_spans_dropped_total{${node}}`, '0x10 10+10x30')], 18, 24],
      [
        'DiwanUpkeep',
        [
          series(`diwan_upkeep_overdue{${node}, step="changes"}`, '0x10 1x30'),
          series(`diwan_upkeep_failures{${node}, step="changes"}`, '0x40'),
        ],
        18,
        25,
      ],
      [
        'DiwanUpkeep',
        [
          series(`diwan_upkeep_overdue{${node}, step="changes"}`, '0x40'),
          series(`diwan_upkeep_failures{${node}, step="changes"}`, '2x10 3x30'),
        ],
        18,
        25,
      ],
    ] as const
    const tests = cases.map(([alertname, input_series, quietAt, firesAt]) => ({
      interval: '1m',
      input_series,
      promql_expr_test: [quietAt, firesAt].map(minute => ({
        expr: `count(ALERTS{alertname="${alertname}", alertstate="firing"})`,
        eval_time: `${minute}m`,
        exp_samples: minute === firesAt ? [{ labels: '{}', value: 1 }] : [],
      })),
    }))
    writeFileSync(join(folder, 'alerts.yaml'), deployed('alerts.yaml'))
    writeFileSync(
      join(folder, 'tests.json'),
      JSON.stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests }),
    )
    expect(
      execFileSync(parts.promtool as string, ['test', 'rules', 'tests.json'], { cwd: folder, encoding: 'utf8' }),
    ).toContain('SUCCESS')
  })
})

describe('The Compose file', () => {
  const services = composedServices()

  it('has the parts of an installation, and opens nothing but the proxy', () => {
    expect(Object.keys(services).sort()).toEqual(['api-1', 'api-2', 'clamd', 'postgres', 'proxy', 'redis', 'worker'])
    expect(
      Object.entries(services)
        .filter(([, { ports }]) => ports)
        .map(([name]) => name),
    ).toEqual(['proxy'])
  })

  it('gives nodes and worker settings that they can read, and holds no secret', () => {
    const filled = (text: string) =>
      text.replace(/\$\{\w+:\?[^}]*\}/g, 'https://a-secret-that-is-long-enough').replace(/\$\{\w+:-\}/g, '')
    for (const name of ['api-1', 'api-2', 'worker']) {
      const environment = services[name]?.environment ?? {}
      const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]))
      const { worker, demo, redisUrl, clamdUrl } = readConfig({
        ...env,
        DATABASE_URL: 'postgres://diwan:secret@postgres/diwan',
      })
      expect([worker, demo, redisUrl, clamdUrl]).toEqual([
        name === 'worker',
        false,
        'redis://redis',
        'tcp://clamd:3310',
      ])
    }
    const told = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment))
    expect(told.filter(([key, value]) => SECRETS.includes(key) && !value.includes('${'))).toEqual([])
    const wanted = new Set([...deployed('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
    expect([...wanted].sort()).toEqual(names(deployed('.env.example')).sort())
  })

  it.skipIf(!parts.compose)('is one that Compose can read, and not without its secrets', () => {
    const read = (env: Record<string, string>) =>
      spawnSync(parts.compose as string, ['--file', 'deploy/compose.yaml', 'config', '--quiet'], {
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      })
    const secrets = { POSTGRES_PASSWORD: 'a', SERVER_SECRET: 'b', OPERATOR_TOKEN: 'c' }
    expect(read({ ...secrets, PUBLIC_URL: 'https://diwan.example.com' })).toMatchObject({ status: 0, stderr: '' })
    expect(read(secrets).stderr).toContain('is missing in .env')
  })

  it('gives the proxy what its configuration asks for', () => {
    const asked = new Set([...deployed('haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))
    expect(Object.keys(services.proxy?.environment ?? {}).sort()).toEqual([...asked].sort())
  })
})

describe('The Kubernetes example', () => {
  const objects = kubernetesObjects()
  const pods = objects
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => ({ name: metadata.name, ...spec.template.spec }))

  it('asks the probes that the server has, runs without rights, and holds no secret', () => {
    expect(pods.map(({ name }) => name)).toEqual(['diwan-api', 'diwan-worker'])
    const [{ startupProbe, readinessProbe, livenessProbe }] = pods[0].containers
    expect([startupProbe, readinessProbe, livenessProbe].map(probe => probe.httpGet.path)).toEqual([
      '/health',
      '/ready',
      '/health',
    ])
    for (const {
      securityContext,
      containers: [container],
    } of pods) {
      expect(securityContext.runAsNonRoot).toBe(true)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.envFrom).toContainEqual({ secretRef: { name: 'diwan' } })
    }
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret')
    const { data } = objects.find(({ kind }) => kind === 'ConfigMap')
    expect(Object.keys(data).filter(name => SECRETS.includes(name))).toEqual([])
    expect(readConfig(data).trustProxy).toBe('10.0.0.0/8')
  })

  it('refers to nothing that is not there', () => {
    const labels = pods.map(({ name }) => name)
    for (const { kind, spec } of objects.filter(({ kind }) => /^(Service|PodDisruptionBudget)$/.test(kind)))
      expect([kind, labels.includes((spec.selector.matchLabels ?? spec.selector).app)]).toEqual([kind, true])
    const claims = objects.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
    for (const { volumes } of pods)
      for (const { persistentVolumeClaim } of volumes)
        if (persistentVolumeClaim) expect(claims).toContain(persistentVolumeClaim.claimName)
  })
})

describe.skipIf(!parts.systemd)('The units of systemd', () => {
  const units = ['diwan@.service', 'diwan-worker.service']
  const folder = newFolder()
  mkdirSync(folder, { recursive: true })
  // The units name the path that Node.js has on Debian, which may differ from that of this Node.js.
  for (const unit of units)
    writeFileSync(join(folder, unit), deployed(`systemd/${unit}`).replace('/usr/bin/node', process.execPath))
  const analyze = (...args: string[]) => {
    const { stdout, stderr } = spawnSync(parts.systemd as string, args, { encoding: 'utf8' })
    return stdout + stderr
  }

  it.each(units)('%s is valid, and gives the program few rights', unit => {
    const path = join(folder, unit)
    expect(analyze('verify', '--man=no', path)).toBe('')
    const exposure = Number(
      analyze('security', '--offline=true', '--no-pager', path).match(/Overall exposure level for .*: ([\d.]+)/)?.[1],
    )
    expect(exposure).toBeLessThan(2)
  })

  it('read an example of settings that the server can use', () => {
    const lines = deployed('systemd/diwan.env.example')
      .split('\n')
      .filter(line => /^[A-Z]/.test(line))
    const env = Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    expect(readConfig({ ...env, SERVER_SECRET: 'a'.repeat(32) }).trustProxy).toBe('loopback')
    expect([env.SERVER_SECRET, env.OPERATOR_TOKEN]).toEqual(['', ''])
  })
})
