"""Continues where it was: Hugging Face Transformers. Its Trainer writes checkpoints itself; it only has to be asked for the last one."""
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments
from transformers.trainer_utils import get_last_checkpoint

BASE = "distilbert-base-uncased"
tokenizer = AutoTokenizer.from_pretrained(BASE)
data = load_dataset("imdb", split="train[:2000]").map(
    lambda rows: tokenizer(rows["text"], truncation=True, padding="max_length", max_length=256), batched=True
)

trainer = Trainer(
    model=AutoModelForSequenceClassification.from_pretrained(BASE, num_labels=2),
    args=TrainingArguments("checkpoints", num_train_epochs=3, save_steps=50, save_total_limit=2, report_to="none"),
    train_dataset=data,
)

try:
    last = get_last_checkpoint("checkpoints")
except FileNotFoundError:
    last = None
trainer.train(resume_from_checkpoint=last)
trainer.save_model("results/model")
