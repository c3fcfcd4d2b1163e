/** The API group of the custom resources unless configuration overrides it. @spec §1.5, §9.1 */
export const DEFAULT_API_GROUP = 'gateway.internal';

/** The domain of the platform's labels unless configuration overrides it. @spec §2.3 */
export const DEFAULT_LABEL_DOMAIN = 'gateway.internal';

/** The one served version of both custom resources. @spec §9.1 */
export const API_VERSION = 'v1alpha1';

/** Returns the `apiVersion` of resources in a group: `<group>/v1alpha1`. @spec §2.6, §9.1 */
export const apiVersionOf = (apiGroup: string = DEFAULT_API_GROUP): string =>
  `${apiGroup}/${API_VERSION}`;
