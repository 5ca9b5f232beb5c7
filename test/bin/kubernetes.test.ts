/** The manifests for Kubernetes name commands, settings and addresses that exist, and fit the schemas of Kubernetes. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SETTINGS } from '../../server/settings.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy/kubernetes')
const names = readdirSync(FOLDER)
const texts = new Map(names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]))

/** All matches of a pattern, with the names of their files. */
function findAll(pattern: RegExp): [file: string, found: string][] {
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(([, found = '']): [string, string] => [file, found]),
  )
}

t.test('[KUBE1] the manifests name settings, commands and images of this release', async (t) => {
  const settings = [...findAll(/^ {2}([A-Z][A-Z_]+): /gm), ...findAll(/\{ name: ([A-Z][A-Z_]+), value: /g)]
  t.ok(settings.length > 8)
  t.strictSame(
    settings.filter(([, name]) => !(name in SETTINGS)),
    [],
  )
  const commands = findAll(/^ +command: \[bin\/parley, (\S+)\]$/gm)
  t.same(commands.map(([, entry]) => entry).sort(), [
    'server/main.ts',
    'server/release.ts',
    'workers/main.ts',
  ])
  for (const [file, entry] of commands) t.ok(existsSync(join(ROOT, entry)), file)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const [file, image] of findAll(/^ +image: \S+:(\S+)$/gm)) t.equal(image, version, file)
})

t.test('[KUBE2] probes ask for the health of web and worker', async (t) => {
  const paths = new Set(findAll(/path: (\/health\/\w+)/g).map(([, path]) => path))
  t.same([...paths].sort(), ['/health/live', '/health/ready'])
})

t.test('[KUBE3] every process is an ordinary user that writes into two folders alone', async (t) => {
  const workloads = [...texts].filter(([, text]) => text.includes('containers:'))
  t.equal(workloads.length, 3)
  for (const [file, text] of workloads)
    for (const line of [
      'runAsNonRoot: true',
      'runAsUser: 1000',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'capabilities: { drop: [ALL] }',
      'automountServiceAccountToken: false',
      '{ name: data, mountPath: /data }',
      '{ name: temporary, mountPath: /tmp }',
    ])
      t.ok(text.includes(line), `${file}: ${line}`)
})

t.test('[KUBE4] the schemas of Kubernetes take the manifests', async (t) => {
  const paths = names.map((name) => join(FOLDER, name))
  const checked = spawnSync('kubernetes-validate', ['--strict', ...paths], { encoding: 'utf8' })
  if (checked.error)
    return t.comment(
      'kubernetes-validate is not installed (pip install kubernetes-validate): no schema is compared',
    )
  t.equal(checked.status, 0, checked.stdout + checked.stderr)
})
