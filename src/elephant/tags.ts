// The datatypes that are not scalar as they stand in saves from release 1.4.0 on: their codes (codes.ts) and 190.
export const ANY = 204;
export const ARRAY = 205;
export const STRUCT = 206;
export const UNDEFINED = 207;
