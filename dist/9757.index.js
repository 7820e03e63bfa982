const o=9757,t=[9757,4519,6900];import{modules as s}from"./4519.index.js";export{o as id,t as ids,s as modules};
