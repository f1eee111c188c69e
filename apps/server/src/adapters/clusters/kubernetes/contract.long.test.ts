/**
 * The driver of Kubernetes does what every driver has to do: against a simulated API that holds it to its Role, its quotas and
 * the level of the namespace, and one machine that really starts Pods.
 */
import { findKubernetesFault, startKubernetes } from '@wakestone/simulators/kubernetes'
import { imageName } from '../docker/image.ts'
import { describeContract } from '../test-support/contract-suite.ts'
import { account, gamesNamespace } from './test-support/games-namespace.ts'
import { subjectOf } from './test-support/subject.ts'

describeContract('kubernetes', findKubernetesFault(), async () =>
  subjectOf(await startKubernetes({ images: [imageName], objects: gamesNamespace(), account })),
)
