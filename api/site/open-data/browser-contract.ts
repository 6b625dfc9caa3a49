/** The table that the explorer of `/data` reads in the browser. */
export const EXPLORED_TABLE = 'rollups'
