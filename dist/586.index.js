const o=586,t=[586,8205];import{modules as s}from"./8205.index.js";export{o as id,t as ids,s as modules};
