/** The URLs of the gateway that browsers and authorization servers use. */
export interface SignInUrls {
  readonly start: string;
  /** The callback of clients that the operator registered; other clients have one for each issuer, below it. */
  readonly callback: string;
  readonly document: string;
  /** The document is served by the gateway: there is one for each issuer, below it. */
  readonly isOwnDocument: boolean;
}
