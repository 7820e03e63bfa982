const o=6900,t=[6900,4519,9757];import{modules as s}from"./4519.index.js";export{o as id,t as ids,s as modules};
