/** An error answer, with the service's own code and message. */

export class AwsFault extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

/**
 * Auto Scaling uses `ValidationError` where other services have specific codes:
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/CommonErrors.html
 */
export const invalid = (message: string): AwsFault => new AwsFault('ValidationError', message)
