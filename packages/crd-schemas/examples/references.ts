import { referencedKeyOf, referencedValueProblem } from '@gateway/crd-schemas';

/** A header cannot have several lines; a variable can. */
export const problems = {
  header: referencedValueProblem('header', 'one\ntwo'),
  variable: referencedValueProblem('variable', 'one\ntwo'),
};

/** The key that an entry of `envFrom` names. */
export const key = referencedKeyOf({
  secretKeyRef: { name: 'api', key: 'token', optional: false },
});
