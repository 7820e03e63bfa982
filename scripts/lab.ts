/**
 * Builds what the tests' cluster and clouds need and what takes minutes: Kubernetes and other programs from their Go sources, Debian packages, the
 * root file system of machines that boot with cloud-init. Tests build what is missing themselves. If it was built before, they neither wait for it
 * nor share the processor with compilers.
 */
import { GO_TOOLS, goTool } from '../__tests__/lab/go-tool.ts'
import { debianPackages } from '../__tests__/lab/k8s/packages.ts'
import { kubernetesPrograms } from '../__tests__/lab/k8s/programs.ts'
import { cloudRoot } from '../__tests__/lab/machine/root.ts'

await Promise.all([kubernetesPrograms(), debianPackages(), cloudRoot(), cloudRoot('ubuntu')])
// One after the other, because each compiler uses all processors.
for (const tool of Object.values(GO_TOOLS)) await goTool(tool)
