/** An answer that is an error, in the words and codes of the service. */

export class AwsFault extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** `ValidationError` is how Auto Scaling says what others have codes for: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/CommonErrors.html */
export const invalid = (message: string): AwsFault => new AwsFault('ValidationError', message)
