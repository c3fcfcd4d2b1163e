/** The people of the example's provider. Alice may change the gateway; Bob may use it. */
export const USERS = new Map([
  [
    'alice',
    {
      password: 'wonderland',
      claims: { name: 'Alice', email: 'alice@example.com', groups: ['admins'] },
    },
  ],
  [
    'bob',
    { password: 'builder', claims: { name: 'Bob', email: 'bob@example.com', groups: ['staff'] } },
  ],
]);
