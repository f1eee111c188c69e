/**
 * The same contract against a real API server of Kubernetes, with roles and quotas obeyed. It is built from Debian's sources
 * (`npm run build:kubernetes`); where it is not, this is skipped. The machine is the simulated one: a real server starts nothing.
 */
import { join } from 'node:path'
import { findKubernetesFault, findServerFault, startRealKubernetes } from '@wakestone/simulators/kubernetes'
import { makeCertificate } from '#src/agent/certificate.ts'
import { imageName } from '../docker/image.ts'
import { describeContract } from '../test-support/contract-suite.ts'
import { repoRoot } from '../test-support/game-bench.ts'
import { account, gamesNamespace } from './test-support/games-namespace.ts'
import { subjectOf } from './test-support/subject.ts'

const program = process.env['TEST_KUBE_APISERVER'] ?? join(repoRoot, '.cache/kubernetes/kube-apiserver')

describeContract('kubernetes (real API server)', findKubernetesFault() ?? findServerFault(program), async () => {
  const { key, certificate: cert } = await makeCertificate('kubelet')
  const objects = gamesNamespace()
  return subjectOf(await startRealKubernetes({ program, images: [imageName], objects, account, tls: { key, cert } }))
})
