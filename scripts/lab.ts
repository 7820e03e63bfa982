/**
 * Makes what the tests' cluster is built of and takes minutes: Kubernetes from its sources, packages of Debian,
 * the root of machines that boot by cloud-init. Tests make it by themselves where it
 * does not exist yet; made before, they neither wait for it nor share the processor with compilers.
 */
import { debianPackages } from '../__tests__/lab/k8s/packages.ts'
import { kubernetesPrograms } from '../__tests__/lab/k8s/programs.ts'
import { cloudRoot } from '../__tests__/lab/machine/root.ts'

await Promise.all([kubernetesPrograms(), debianPackages(), cloudRoot()])
