import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { composedServices, deployed, kubernetesObjects } from '../support/deployment.ts'
import { describeWith } from '../support/describe-with.ts'
import { newFolder, serve, withoutJobs } from '../support/server-process.ts'

const SECRETS = ['SERVER_SECRET', 'OPERATOR_TOKEN', 'DATABASE_URL', 'POSTGRES_PASSWORD', 'SMTP_URL']

const dashboard: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(deployed('grafana-dashboard.json'))
const alerts: { alert: string; expr: string }[] = parse(deployed('alerts.yaml')).groups[0].rules
/** The queries of the dashboard, with values for the variables that Grafana fills in. */
const charted = dashboard.panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'))

const names = (list: string) =>
  list
    .split('\n')
    .filter(line => /^[A-Z_]+=/.test(line))
    .map(line => line.split('=')[0] as string)

it('The dashboard and the alerts name no metric that a server does not have, and show every one of ours', async () => {
  const server = await serve(withoutJobs())
  await fetch(`${server.url}/api/v1/me`)
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const shown = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  const used = new Set(
    [...charted, ...alerts.map(({ expr }) => expr)].flatMap(expr => expr.match(/\b(diwan|nodejs|process)_\w+/g) ?? []),
  )
  expect([...used].filter(name => !shown.has(name))).toEqual([])
  const ours = [...shown].filter(name => name.startsWith('diwan_') && !name.endsWith('_sum'))
  expect(ours.filter(name => !used.has(name))).toEqual([])
  await server.end('SIGTERM')
})

describeWith('promtool', 'Prometheus', ({ promtool }) => {
  const folder = newFolder()
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  const run = (...args: string[]) => execFileSync(promtool, args, { cwd: folder, encoding: 'utf8' })

  it('can read the dashboard, the alerts and its configuration', () => {
    const rules = charted.map((expr, n) => ({ record: `chart_${n}`, expr }))
    write('charts.json', { groups: [{ name: 'charts', rules }] })
    write('alerts.yaml', deployed('alerts.yaml'))
    write('token', 'token')
    write('prometheus.yaml', deployed('prometheus.yaml').replace('/etc/prometheus/diwan-operator-token', 'token'))
    expect(run('check', 'rules', 'charts.json')).toContain(`${charted.length} rules found`)
    expect(run('check', 'config', 'prometheus.yaml')).toContain(`${alerts.length} rules found`)
  })

  it('fires each alert when it should and not before', () => {
    type Series = [metric: string, labels: string, values: string]
    const cases: [alert: string, quietAt: number, firesAt: number, ...Series[]][] = [
      ['DiwanDown', 10, 14, ['up', '', '1x10 0x20']],
      [
        'DiwanErrors',
        10,
        22,
        ['diwan_requests_total', ', status="200"', '0+600x40'],
        ['diwan_requests_total', ', status="503"', '0x10 0+60x30'],
      ],
      ['DiwanJobsLate', 12, 20, ['diwan_jobs_late_seconds', '', '0x10 660+60x30']],
      ['DiwanJobsFailed', 12, 20, ['diwan_jobs_failed', ', kind="mail-notification"', '0x10 2x30']],
      ['DiwanFeedLag', 12, 20, ['diwan_feed_lag_seconds', '', '0x10 120x30']],
      ['DiwanPartDown', 14, 17, ['diwan_part_state', ', part="storage"', '1x10 2x30']],
      ['DiwanPartDegraded', 24, 28, ['diwan_part_state', ', part="redis"', '0x10 1x30']],
      ['DiwanWebhooksFailing', 24, 28, ['diwan_webhooks_failing', '', '5x10 6x30']],
      [
        'DiwanRefused',
        45,
        65,
        ['diwan_requests_total', ', status="200"', '0+60x80'],
        ['diwan_requests_total', ', status="429"', '0+50x20 1000+200x60'],
      ],
      ['DiwanTurnedAway', 12, 20, ['diwan_requests_turned_away_total', '', '0x10 10+10x30']],
      ['DiwanRecordsDropped', 18, 24, ['diwan_spans_dropped_total', '', '0x10 10+10x30']],
      [
        'DiwanUpkeep',
        18,
        25,
        ['diwan_upkeep_overdue', ', step="changes"', '0x10 1x30'],
        ['diwan_upkeep_failures', ', step="changes"', '0x40'],
      ],
      [
        'DiwanUpkeep',
        18,
        25,
        ['diwan_upkeep_overdue', ', step="changes"', '0x40'],
        ['diwan_upkeep_failures', ', step="changes"', '2x10 3x30'],
      ],
    ]
    const tests = cases.map(([alertname, quietAt, firesAt, ...input]) => ({
      interval: '1m',
      input_series: input.map(([metric, labels, values]) => ({
        series: `${metric}{job="diwan", instance="api-1:3000"${labels}}`,
        values,
      })),
      promql_expr_test: [quietAt, firesAt].map(minute => ({
        expr: `count(ALERTS{alertname="${alertname}", alertstate="firing"})`,
        eval_time: `${minute}m`,
        exp_samples: minute === firesAt ? [{ labels: '{}', value: 1 }] : [],
      })),
    }))
    write('alerts.yaml', deployed('alerts.yaml'))
    write('tests.json', { rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests })
    expect(run('test', 'rules', 'tests.json')).toContain('SUCCESS')
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

  describeWith('compose', 'is one that Compose can read', ({ compose }) => {
    it('with its secrets and not without', () => {
      const read = (env: Record<string, string>) =>
        spawnSync(compose, ['--file', 'deploy/compose.yaml', 'config', '--quiet'], {
          env: { PATH: process.env.PATH, ...env },
          encoding: 'utf8',
        })
      const secrets = { POSTGRES_PASSWORD: 'a', SERVER_SECRET: 'b', OPERATOR_TOKEN: 'c' }
      expect(read({ ...secrets, PUBLIC_URL: 'https://diwan.example.com' })).toMatchObject({ status: 0, stderr: '' })
      expect(read(secrets).stderr).toContain('is missing in .env')
    })
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
})

describeWith('systemd', 'The units of systemd', ({ systemd }) => {
  it.each(['diwan@.service', 'diwan-worker.service'])('%s is valid, and gives the program few rights', unit => {
    const path = join(newFolder(), unit)
    // The units name the path that Node.js has on Debian, which may differ from that of this Node.js.
    writeFileSync(path, deployed(`systemd/${unit}`).replace('/usr/bin/node', process.execPath))
    const analyze = (...args: string[]) => {
      const { stdout, stderr } = spawnSync(systemd, [...args, path], { encoding: 'utf8' })
      return stdout + stderr
    }
    expect(analyze('verify', '--man=no')).toBe('')
    const exposure = analyze('security', '--offline=true', '--no-pager').match(
      /Overall exposure level for .*: ([\d.]+)/,
    )
    expect(Number(exposure?.[1])).toBeLessThan(2)
  })
})

it('The units of systemd read an example of settings that the server can use', () => {
  const lines = deployed('systemd/diwan.env.example').match(/^[A-Z].*$/gm) ?? []
  const env = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  expect(readConfig({ ...env, SERVER_SECRET: 'a'.repeat(32) }).trustProxy).toBe('loopback')
  expect([env.SERVER_SECRET, env.OPERATOR_TOKEN]).toEqual(['', ''])
})
