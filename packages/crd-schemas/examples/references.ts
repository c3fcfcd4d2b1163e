import {
  findDestinationChange,
  formatReference,
  resolveKeyReference,
  findValueProblem,
  findSecretReference,
  formatMisdirectedValues,
  removeMisdirectedValues,
} from '@gateway/crd-schemas';

/** A header cannot have several lines; a variable can. */
export const problems = {
  header: findValueProblem('header', 'one\ntwo'),
  variable: findValueProblem('variable', 'one\ntwo'),
};

/** The key that an entry of `envFrom` names. */
export const key = resolveKeyReference({
  secretKeyRef: { name: 'api', key: 'token', optional: false },
});

/** `Secret/api/token` */
export const name = formatReference({ secretKeyRef: key });

const spec = { url: 'https://mail.example', headersFrom: [{ name: 'Authorization' }] };

/** `headersFrom` */
export const reference = findSecretReference(spec);

/** The sentence about a header that the new address must not receive. */
export const removed = formatMisdirectedValues(
  removeMisdirectedValues(
    { url: 'https://mail.example/mcp', headers: { 'X-Key': 'k' } },
    { url: 'https://other.example/mcp' },
  ).removed,
);

/** `url`, because the value of the header would be sent to another address. */
export const destination = findDestinationChange(spec, { ...spec, url: 'https://other.example' });
