/** The nonce with which styles of components are permitted. Browsers hide it from attributes. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
