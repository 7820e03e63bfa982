/**
 * Images of the emulated account, with the same ids in every region, and the public parameters that name them: moto lacks today's images and most
 * parameters.
 */

interface LabImage {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly arch: 'x86_64' | 'arm64'
  readonly device: string
  readonly parameters: readonly string[]
}

const CANONICAL = '099720109477'
const AMAZON = '137112412989'
const DEBIAN = '136693071363'
const DEEP_LEARNING = '898082745236'

/** Canonical lists releases before 23.10 under gp2. */
const ubuntu = (release: string, arch: string, disk = 'gp3'): string =>
  `/aws/service/canonical/ubuntu/server/${release}/stable/current/${arch}/hvm/ebs-${disk}/ami-id`

/**
 * Parameters: https://documentation.ubuntu.com/aws/aws-how-to/instances/find-ubuntu-images/ · https://docs.aws.amazon.com/linux/al2023/ug/ec2.html ·
 * https://wiki.debian.org/Cloud/AmazonEC2Image · https://docs.aws.amazon.com/dlami/latest/devguide/find-dlami-id.html
 */
const IMAGES: readonly LabImage[] = (['x86_64', 'arm64'] as const).flatMap((arch, at): readonly LabImage[] => {
  const amd = arch === 'x86_64' ? 'amd64' : 'arm64'
  const image = (number: number, name: string, owner: string, device: string, parameters: readonly string[]): LabImage => ({
    id: `ami-0000000000000${number}${at}0`,
    name,
    owner,
    arch,
    device,
    parameters,
  })
  const dl = (release: string): string => `/aws/service/deeplearning/ami/${arch}/base-oss-nvidia-driver-gpu-ubuntu-${release}/latest/ami-id`
  return [
    image(1, `ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-${amd}-server-20261101`, CANONICAL, '/dev/sda1', [
      ubuntu('24.04', amd),
      ubuntu('noble', amd),
    ]),
    image(2, `ubuntu/images/hvm-ssd-gp3/ubuntu-jammy-22.04-${amd}-server-20261101`, CANONICAL, '/dev/sda1', [
      ubuntu('22.04', amd, 'gp2'),
      ubuntu('jammy', amd, 'gp2'),
    ]),
    image(3, `al2023-ami-2023.9.20261101.0-kernel-6.1-${arch}`, AMAZON, '/dev/xvda', [
      `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-${arch}`,
    ]),
    image(4, `debian-13-${amd}-20261101-2000`, DEBIAN, '/dev/xvda', [`/aws/service/debian/release/13/latest/${amd}`]),
    image(5, `Deep Learning Base OSS Nvidia Driver GPU AMI (Ubuntu 24.04) 20261101`, DEEP_LEARNING, '/dev/sda1', [
      dl('24.04'),
      dl('22.04'),
    ]),
  ]
})

/** For `MOTO_AMIS_PATH`. */
export function motoImages(): string {
  const fields = IMAGES.map(({ id, name, owner, arch, device }) => ({
    ami_id: id,
    name,
    description: name,
    owner_id: owner,
    public: true,
    virtualization_type: 'hvm',
    architecture: arch,
    state: 'available',
    creation_date: '2026-11-01T00:00:00.000Z',
    image_type: 'machine',
    image_location: `${owner}/${name}`,
    hypervisor: 'xen',
    root_device_type: 'ebs',
    root_device_name: device,
  }))
  return JSON.stringify(fields)
}

/** The image that a public parameter names. */
export function parameterValue(name: string): string | undefined {
  return IMAGES.find(({ parameters }) => parameters.includes(name))?.id
}
