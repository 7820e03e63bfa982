/**
 * Makes what the tests' cluster and clouds are built of and takes minutes: Kubernetes and other programs from their Go sources, packages of Debian,
 * the root of machines that boot by cloud-init. Tests make it by themselves where it
 * does not exist yet; made before, they neither wait for it nor share the processor with compilers.
 */
import { GO_TOOLS, goTool } from '../__tests__/lab/go-tool.ts'
import { debianPackages } from '../__tests__/lab/k8s/packages.ts'
import { kubernetesPrograms } from '../__tests__/lab/k8s/programs.ts'
import { cloudRoot } from '../__tests__/lab/machine/root.ts'

await Promise.all([kubernetesPrograms(), debianPackages(), cloudRoot()])
// Each compiler uses all processors.
for (const tool of Object.values(GO_TOOLS)) await goTool(tool)
