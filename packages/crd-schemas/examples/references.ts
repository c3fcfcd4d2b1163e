import {
  changedDestination,
  referencedKeyOf,
  referencedValueProblem,
  secretReferenceIn,
  valuesElsewhere,
  valuesElsewhereText,
} from '@gateway/crd-schemas';

/** A header cannot have several lines; a variable can. */
export const problems = {
  header: referencedValueProblem('header', 'one\ntwo'),
  variable: referencedValueProblem('variable', 'one\ntwo'),
};

/** The key that an entry of `envFrom` names. */
export const key = referencedKeyOf({
  secretKeyRef: { name: 'api', key: 'token', optional: false },
});

const spec = { url: 'https://mail.example', headersFrom: [{ name: 'Authorization' }] };

/** `headersFrom` */
export const reference = secretReferenceIn(spec);

/** The sentence about a header that the new address must not receive. */
export const removed = valuesElsewhereText(
  valuesElsewhere(
    { url: 'https://mail.example/mcp', headers: { 'X-Key': 'k' } },
    { url: 'https://other.example/mcp' },
  ),
);

/** `url`, because the value of the header would be sent to another address. */
export const destination = changedDestination(spec, { ...spec, url: 'https://other.example' });
