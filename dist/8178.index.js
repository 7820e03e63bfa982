const r=8178,p=[8178],c={28178:((o,s,e)=>{const t=e(81534);o.exports=t})};export{r as id,p as ids,c as modules};
